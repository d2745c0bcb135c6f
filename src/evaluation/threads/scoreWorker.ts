/** A thread that reads, judges and counts groups of images. */
import { answerTasks } from "./answerTasks.js";
import { scoreWork } from "./scoreWork.js";

answerTasks(scoreWork.open);
