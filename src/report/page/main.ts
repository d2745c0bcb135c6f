/// <reference lib="dom" />
import type { ReportData } from "../reportData.js";
import { Choice } from "./choice.js";
import { openConfusion } from "./confusion.js";
import { openControls } from "./controls.js";
import { openDots } from "./dots.js";
import { openGallery } from "./gallery.js";
import { openSentence } from "./sentence.js";
import "./style.css";

const text = document.getElementById("data")?.textContent ?? "";
const report = JSON.parse(text) as ReportData;
const choice = new Choice(report);

openControls(choice);
openSentence(choice);
openDots(choice);
openGallery(choice);
openConfusion(choice);
document.documentElement.classList.add("ready");
choice.announce();
