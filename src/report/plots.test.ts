import { expect, test } from "vitest";
import { type Plot, ticks } from "./plot.js";
import { plotCsv, plotLatex } from "./plotNumbers.js";
import { plotFile, plotInPage } from "./plotSvg.js";

const plot: Plot = {
  name: "roc",
  title: "ROC",
  meaning: "a test",
  x: { label: "wrong <kept>", from: 0, to: 1 },
  y: { label: "right & kept", from: 0, to: 1 },
  series: [
    {
      label: '=a"<script>alert(1)</script>',
      points: [
        { x: 0, y: 0 },
        { x: 0.25, y: 1 },
      ],
    },
    { label: "b_{2}", points: [] },
  ],
  chance: null,
};

test("axes have round ticks, ends included", () => {
  expect(ticks({ from: 0, to: 1 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks({ from: 0.3, to: 0.8 })).toEqual([0.3, 0.4, 0.5, 0.6, 0.7, 0.8]);
  expect(ticks({ from: 0, to: 40_000 })).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  expect(ticks({ from: 2, to: 2 })).toEqual([2]);
});

test("ticks of large and tiny values are short", () => {
  const drawn = (to: number): string[] =>
    [...plotFile({ ...plot, y: { label: "", from: 0, to } }).matchAll(/text-anchor="end">([^<]*)</g)].map(
      ([, text]) => text!,
    );
  expect(drawn(40_000)).toEqual(["0", "10k", "20k", "30k", "40k"]);
  expect(drawn(4e-4)).toEqual(["0", "1e-4", "2e-4", "3e-4", "4e-4"]);
  expect(drawn(4e29)).toEqual(["0", "1e29", "2e29", "3e29", "4e29"]);
  expect(drawn(0.002)).toEqual(["0", "5e-4", "1e-3", "1.5e-3", "2e-3"]);
});

test("names in drawings are text, in the page and in files", () => {
  for (const svg of [plotFile(plot), plotInPage(plot)]) {
    expect(svg).not.toContain("<script");
    expect(svg).toContain("wrong &#60;kept&#62;");
  }
  expect(plotFile(plot)).toContain("=a&#34;&#60;script&#62;alert(1)&#60;/script&#62;");
});

test("a band is an area around its curve, in the colour that its series asks for", () => {
  const spans = [
    { x: 0, low: 0, high: 0.5 },
    { x: 1, low: 0.5, high: 1 },
  ];
  const [series] = plot.series;
  const banded = { ...plot, series: [{ ...series!, band: spans, look: { colour: 9, dotted: true } }] };
  expect(plotInPage(banded)).toMatch(/<path class="band s2 dashed dotted" d="M[\d. ]+L[\d. ]+L[\d. ]+L[\d. ]+Z"\/>/);
  expect(plotInPage(banded)).toContain('<path class="curve s2 dashed dotted"');
});

test("the points of a plot can be taken elsewhere", () => {
  expect(plotCsv(plot)).toContain("0.25,1\n");
  expect(plotCsv(plot)).toContain('"\'=a""<script>');
  expect(plotLatex(plot)).toContain("(0,0) (0.25,1)");
  expect(plotLatex(plot)).toContain("\\addlegendentry{b\\_\\{2\\}}");
});

test("where a stage begins near the right end, names of stages stand to the left of their lines", () => {
  const axis = { label: "step", from: 0, to: 100 };
  const leftOf = (...begin: number[]): boolean[] => {
    const marks = begin.map((x) => ({ x, label: "adaptation" }));
    const svg = plotFile({ name: "x", title: "x", meaning: "", x: axis, y: axis, series: [], chance: null, marks });
    return [...svg.matchAll(/<text class="stage-name" x="[\d.]+"( text-anchor="end")?/g)].map(([, end]) =>
      Boolean(end),
    );
  };
  expect(leftOf(10, 50)).toEqual([false, false]);
  expect(leftOf(90, 95)).toEqual([true, true]);
});
