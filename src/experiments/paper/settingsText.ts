import { paper } from "../../methods/gamma-ssl/options.js";
import { profileViews } from "../../methods/gamma-ssl/profileViews.js";
import { beginsElsewhere, type TrainConfig } from "../../runs/config.js";
import { departures } from "../../runs/departures.js";
import { totalSteps } from "../../runs/extended.js";

/** How a run was trained, for a note below its numbers. Where the profile `paper` has another number, that is in brackets. */
export function settingsText(config: TrainConfig): string {
  const { pretraining, adaptation } = paper.training;
  const papers = pretraining + (config.method === "gamma-ssl" ? adaptation * config.targets.length : 0);
  const texts = [
    ...(config.method === "gamma-ssl" ? profileTexts(config) : ["supervised"]),
    `images ${beside(config.view.height, profileViews.paper.height)} pixels high`,
    `${beside(totalSteps(config), papers)} steps`,
  ];
  return [...texts, ...(beginsElsewhere(config) ? ["no first stage of its own"] : [])].join(", ");
}

function profileTexts(config: Extract<TrainConfig, { method: "gamma-ssl" }>): string[] {
  const changed = departures(config).length;
  const groups = changed === 1 ? "1 group" : `${changed} groups`;
  const differs = changed === 0 ? [] : [`settings differ from the paper's in ${groups} (gssl train prints them)`];
  return [`profile ${config.profile}`, ...differs];
}

const beside = (own: number, papers: number): string => (own === papers ? `${own}` : `${own} (${papers})`);
