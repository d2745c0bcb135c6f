import fc from "fast-check";
import { expect, test } from "vitest";
import { random } from "../../../engine/tensor/random.js";
import { addNoise, greyscale, shuffleChannels } from "./channels.js";
import { motionBlur, motionKernel, sharpen } from "./filters.js";
import { scaleBrightness, scaleContrast, scaleSaturation, shiftHue } from "./jitter.js";
import { equalise, posterise, recolour } from "./recolour.js";

/** An image from its pixels, [red, green, blue] each; and back, rounded. */
const planes = (...pixels: readonly (readonly [number, number, number])[]): Float32Array =>
  Float32Array.from([0, 1, 2].flatMap((channel) => pixels.map((pixel) => pixel[channel]!)));
const pixel = (values: Float32Array, n = 0): number[] =>
  [0, 1, 2].map((channel) => Math.round(1e4 * values[(channel * values.length) / 3 + n]!) / 1e4);
const changed = (values: Float32Array, change: (values: Float32Array) => void): Float32Array => {
  change(values);
  return values;
};
/** The same plane three times. */
const plane = (...values: readonly number[]): Float32Array => Float32Array.from([...values, ...values, ...values]);

test("A-6: greyscale is the brightness in all channels", () => {
  expect(pixel(changed(planes([1, 0.5, 0]), greyscale))).toEqual([0.5924, 0.5924, 0.5924]);
});

test("A-6: a shuffle of channels says for each where it comes from", () => {
  expect(pixel(changed(planes([0.1, 0.2, 0.3]), (p) => shuffleChannels(p, [2, 0, 1])))).toEqual([0.3, 0.1, 0.2]);
});

test("A-6: six bits leave every fourth byte", () => {
  const p = changed(planes([255 / 255, 7 / 255, 4 / 255]), (values) => posterise(values, 6));
  expect([...p].map((value) => Math.round(255 * value))).toEqual([252, 4, 4]);
});

test("A-6: equalise spreads two tones to the ends of the range", () => {
  // 510 pixels, half of them 100, half 101: a step is (510 - 255) / 255 = 1, and nothing is darker than 100.
  const p = changed(plane(...Array.from({ length: 510 }, (_, i) => (100 + (i % 2)) / 255)), equalise);
  expect([p[0], p[1]]).toEqual([0, 1]);
});

test("A-6: equalise rounds down as Pillow does, and leaves a flat channel alone", () => {
  // 600 pixels: 300 of 10, 150 of 20, 150 of 30. A step is floor(450 / 255) = 1: 0, 300 and 450, the last two cut to 255.
  const tones = [...Array(300).fill(10), ...Array(150).fill(20), ...Array(150).fill(30)].map((byte) => byte / 255);
  expect(changed(plane(...tones), equalise)[300]).toBe(1);
  // 1020 pixels, 510 of them dark: a step is 2, so 510 darker pixels and half a step make (510 + 1) / 2 = 255.
  const three = [...Array(204).fill(0), ...Array(306).fill(50), ...Array(510).fill(200)].map((byte) => byte / 255);
  const p = changed(plane(...three), equalise);
  expect([p[0], p[204], p[510]].map((value) => Math.round(255 * value!))).toEqual([0, 102, 255]);
  const flat = plane(...Array(400).fill(0.5));
  expect(changed(flat.slice(), equalise)).toEqual(flat);
});

test("A-6: sharpness 0 is smooth, 1 the image, 2 sharper; the border is kept", () => {
  const dot = plane(0, 0, 0, 0, 0.52, 0, 0, 0, 0);
  const middle = (factor: number): number => changed(dot.slice(), (p) => sharpen(p, [3, 3], factor))[4]!;
  expect(middle(0)).toBeCloseTo((5 * 0.52) / 13, 6);
  expect(middle(1)).toBeCloseTo(0.52, 6);
  expect(middle(2)).toBeCloseTo(2 * 0.52 - 0.2, 6);
  expect([...changed(dot.slice(), (p) => sharpen(p, [3, 3], 0))].slice(0, 4)).toEqual([0, 0, 0, 0]);
});

test("A-6: smoothing reads the rows as they were before", () => {
  const column = plane(...[0, 0, 0], ...[0, 0.13, 0], ...[0, 0, 0], ...[0, 0, 0]);
  const p = changed(column, (values) => sharpen(values, [4, 3], 0));
  expect(p[4]).toBeCloseTo(0.05, 6);
  expect(p[7]).toBeCloseTo(0.01, 6);
});

test("A-6: motion blur along the rows is a mean of three, leaning with its direction", () => {
  expect(motionKernel(0, 0).map((weight) => Math.round(300 * weight))).toEqual([0, 0, 0, 100, 100, 100, 0, 0, 0]);
  expect(motionKernel(0, 1).map((weight) => Math.round(300 * weight))).toEqual([0, 0, 0, 200, 100, 0, 0, 0, 0]);
  const p = changed(plane(0, 0.6, 0, 0.3), (values) => motionBlur(values, [1, 4], 0, 0));
  expect([...p].slice(0, 4).map((value) => Math.round(100 * value))).toEqual([20, 20, 30, 20]);
});

test("A-6: motion blur at an angle shares each place among its neighbours, the right one further up", () => {
  const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  const kernel = motionKernel(30, 0);
  expect(kernel.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
  expect(kernel[2]).toBeCloseTo((cos * sin) / 3, 9); // up and right
  expect(kernel[5]).toBeCloseTo((cos * (1 - sin)) / 3, 9);
  expect(kernel[8]).toBeCloseTo(0, 9);
});

test("A-6: noise has the deviation asked for, mean 0, and stays within 0 and 1", () => {
  const p = changed(new Float32Array(30_001).fill(0.5), (values) => addNoise(values, 0.01, random("noise")));
  const mean = p.reduce((a, b) => a + b, 0) / p.length;
  const deviation = Math.sqrt(p.reduce((a, b) => a + (b - mean) ** 2, 0) / p.length);
  expect(mean).toBeCloseTo(0.5, 3);
  expect(deviation).toBeCloseTo(0.01, 3);
  const black = changed(new Float32Array(99), (values) => addNoise(values, 0.5, random("noise")));
  expect(black.every((value) => value >= 0 && value <= 1)).toBe(true);
});

test("A-6: brightness, contrast and saturation are torchvision's, clamped", () => {
  expect(pixel(changed(planes([0.2, 0.5, 0.9]), (p) => scaleBrightness(p, 1.5)))).toEqual([0.3, 0.75, 1]);
  // Mean brightness of black and white is 0.9999 / 2: the three weights add up to 0.9999.
  expect(pixel(changed(planes([0, 0, 0], [1, 1, 1]), (p) => scaleContrast(p, 0.5)))).toEqual([0.25, 0.25, 0.25]);
  expect(pixel(changed(planes([0.6, 0.4, 0.2]), (p) => scaleSaturation(p, 0)))).toEqual([0.4369, 0.4369, 0.4369]);
  expect(pixel(changed(planes([0.6, 0.4, 0.2]), (p) => scaleSaturation(p, 2)))).toEqual([0.7631, 0.3631, 0]);
});

test("A-6: a third of the circle takes red to green, green to blue, blue to red; greys stay", () => {
  const p = changed(planes([1, 0, 0], [0, 0.5, 0], [0.2, 0.2, 0.8], [0.3, 0.3, 0.3]), (values) =>
    shiftHue(values, 1 / 3),
  );
  expect([0, 1, 2, 3].map((n) => pixel(p, n))).toEqual([
    [0, 1, 0],
    [0, 0, 0.5],
    [0.8, 0.2, 0.2],
    [0.3, 0.3, 0.3],
  ]);
  expect(pixel(changed(planes([1, 0, 0]), (values) => shiftHue(values, 1 / 12)))).toEqual([1, 0.5, 0]);
  expect(pixel(changed(planes([1, 0, 0]), (values) => shiftHue(values, -1 / 12)))).toEqual([1, 0, 0.5]);
});

test("A-6: hue shifts agree with the textbook HSV and can be undone", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, share, fc.double({ min: -0.5, max: 0.5, noNaN: true }), (r, g, b, shift) => {
      const p = changed(planes([r, g, b]), (values) => shiftHue(values, shift));
      textbookHue([Math.fround(r), Math.fround(g), Math.fround(b)], shift).forEach((value, c) => {
        expect(p[c]).toBeCloseTo(value, 4);
      });
      shiftHue(p, -shift);
      [r, g, b].forEach((value, c) => {
        expect(p[c]).toBeCloseTo(value, 3);
      });
    }),
    { numRuns: 300, seed: 2 },
  );
});

/** RGB to HSV, the hue moved, and back, case by case. */
function textbookHue([r, g, b]: readonly [number, number, number], shift: number): number[] {
  const [value, span] = [Math.max(r, g, b), Math.max(r, g, b) - Math.min(r, g, b)];
  if (span === 0) return [r, g, b];
  const sixths = value === r ? (g - b) / span : value === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  const hue = (((sixths / 6 + shift) % 1) + 1) % 1;
  const sector = Math.floor(hue * 6);
  const f = hue * 6 - sector;
  const [p, q, t] = [value - span, value - span * f, value - span * (1 - f)];
  const cases = [
    [value, t, p],
    [q, value, p],
    [p, value, t],
    [p, q, value],
    [t, p, value],
    [value, p, q],
  ];
  return cases[sector % 6]!;
}

test("A-6: recolouring is decided by its key, stays within 0 and 1, and off means off", () => {
  const extent = [6, 8] as const;
  const image = Float32Array.from({ length: 3 * 48 }, random("picture").uniform);
  const colour = { disturb: true, jitter: { brightness: 0.4, contrast: 0.4, saturation: 0.4, hue: 0.3 } };
  const once = (key: number, options: Parameters<typeof recolour>[2] = colour): Float32Array =>
    changed(image.slice(), (p) => recolour(p, extent, options, random(key)));
  expect(once(1)).toEqual(once(1));
  expect(once(1, "off")).toEqual(image);
  const seen = new Set<string>();
  for (let key = 0; key < 60; key++) {
    const p = once(key);
    expect(p.every((value) => value >= 0 && value <= 1)).toBe(true);
    seen.add(p.join());
  }
  expect(seen.size).toBe(60);
});

test("A-6: without a disturbance and with jitters of 0 nothing changes but roundings", () => {
  const image = Float32Array.from({ length: 3 * 48 }, random("picture").uniform);
  const none = { disturb: false, jitter: { brightness: 0, contrast: 0, saturation: 0, hue: 0 } };
  const p = changed(image.slice(), (values) => recolour(values, [6, 8], none, random(0)));
  p.forEach((value, i) => {
    expect(value).toBeCloseTo(image[i]!, 6);
  });
});
