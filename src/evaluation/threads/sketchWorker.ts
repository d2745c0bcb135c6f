/** A thread that sketches groups of images. */
import { answerTasks } from "./answerTasks.js";
import { sketchWork } from "./sketchWork.js";

answerTasks(sketchWork.open);
