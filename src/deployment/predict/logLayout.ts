import { mostUncertain } from "../../methods/gamma-ssl/score.js";
import type { ModelInfo } from "../model/modelInfo.js";
import { predictionTopics } from "./predictionLog.js";

/**
 * A layout for Foxglove and Lichtblick: the image, its segmentation, what is certain of it and its uncertainty, above the share of certain
 * pixels over time. γ is in the middle of the colours of uncertainty.
 */
export function logLayout(imageTopic: string, { gamma, score }: Pick<ModelInfo, "gamma" | "score">): object {
  const brightest = Math.max(1e-6, 2 * (1 - gamma));
  const image = (topic: string, colours: object = {}): object => ({
    imageMode: { imageTopic: topic, synchronize: false, ...colours },
  });
  return {
    configById: {
      "Image!image": image(imageTopic),
      "Image!segmentation": image(predictionTopics.segmentation),
      "Image!certain": image(predictionTopics.certain),
      "Image!uncertainty": image(predictionTopics.uncertainty, {
        colorMode: "colormap",
        colorMap: "turbo",
        minValue: 0,
        maxValue: Math.round(Math.min(1, brightest / mostUncertain(score)) * 65_535),
      }),
      "Plot!share": {
        title: "share of certain pixels",
        paths: [{ value: `${predictionTopics.certainShare}.data`, enabled: true, timestampMethod: "receiveTime" }],
        minYValue: 0,
        maxYValue: 1,
        showXAxisLabels: true,
        showYAxisLabels: true,
        showLegend: false,
        isSynced: true,
        xAxisVal: "timestamp",
      },
    },
    globalVariables: {},
    userNodes: {},
    playbackConfig: { speed: 1 },
    layout: {
      direction: "column",
      first: {
        direction: "column",
        first: { direction: "row", first: "Image!image", second: "Image!segmentation" },
        second: { direction: "row", first: "Image!certain", second: "Image!uncertainty" },
      },
      second: "Plot!share",
      splitPercentage: 75,
    },
  };
}
