import { expect, test } from "vitest";
import { evaluateOnce } from "../../test/expectGradient.js";
import { constant } from "../engine/graph/value.js";
import { float32, floats } from "../engine/tensor/hostTensor.js";
import { random } from "../engine/tensor/random.js";
import { imageDistance, type PlacesSeen } from "../methods/parts/imageDistance.js";
import { fitPlaces, type ImageMeans } from "./fitPlaces.js";

/** Images of a place: the second channel follows the first, the third never moves. */
function drawn(place: string, count: number, [x, y]: readonly [number, number]): ImageMeans[] {
  const { normal } = random("images", place);
  return Array.from({ length: count }, () => {
    const shared = normal();
    return Float32Array.of(x + shared, y + shared + 0.1 * normal(), 5);
  });
}

async function distances(images: readonly (readonly number[] | ImageMeans)[], places: PlacesSeen): Promise<number[]> {
  const outputs = images.map((image, i) => [`${i}`, imageDistance(constant(float32([1, 3], image)), places)] as const);
  const found = await evaluateOnce(Object.fromEntries(outputs), {});
  return images.map((_, i) => floats(found[i], "distance")[0]!);
}

test("one image of a hundred is beyond the limit, and what breaks a correlation is far beyond it", async () => {
  const places = fitPlaces([drawn("town", 400, [0, 0])]);
  const fresh = await distances(drawn("town, later", 400, [0, 0]), places);
  const beyond = fresh.filter((distance) => distance > 1).length;
  expect(beyond).toBeGreaterThan(0);
  expect(beyond).toBeLessThan(12);
  const [along, across, moved] = await distances(
    [
      [2, 2, 5],
      [1, -1, 5],
      [0, 0, 5.1],
    ],
    places,
  );
  expect(along).toBeLessThan(1);
  expect(across).toBeGreaterThan(1.4);
  // A channel that never moved has moved.
  expect(moved).toBeGreaterThan(1);
});

test("an image of any of the places is within, one between them is not", async () => {
  const [town, dusk] = [drawn("town", 200, [0, 0]), drawn("dusk", 200, [0, 20])];
  const points = [
    [0, 0, 5],
    [0, 20, 5],
    [0, 10, 5],
  ];
  const both = await distances(points, fitPlaces([town, dusk]));
  expect(both.map((distance) => distance < 1)).toEqual([true, true, false]);
  expect((await distances(points, fitPlaces([town]))).map((distance) => distance < 1)).toEqual([true, false, false]);
});

test("the limit is that of drives which the fit has not seen, not of the images next to those that it has", async () => {
  // Ten drives, each at a place of its own: their images are alike.
  const drives = Array.from({ length: 10 }, (_, k) =>
    drawn(`drive ${k}`, 20, [10 * Math.sin(k ** 2), 10 * Math.cos(k ** 3)]),
  ).flat();
  const inOrder = fitPlaces([drives]);
  const { below } = random("shuffled");
  const shuffled = drives.map((image) => ({ image, at: below(1e9) })).sort((a, b) => a.at - b.at);
  const mixed = fitPlaces([shuffled.map(({ image }) => image)]);
  const far = [[30, 0, 5]];
  const [[ordered], [unordered]] = [await distances(far, inOrder), await distances(far, mixed)];
  expect(ordered!).toBeLessThan(unordered!);
});

test("two images are enough, alike or not, and one is refused", async () => {
  const alike = fitPlaces([[Float32Array.of(1, 2, 3), Float32Array.of(1, 2, 3)]]);
  const [same, other] = await distances(
    [
      [1, 2, 3],
      [1, 2, 3.1],
    ],
    alike,
  );
  expect(same).toBe(0);
  expect(other).toBeGreaterThan(1);
  const apart = fitPlaces([[Float32Array.of(1, 2, 3), Float32Array.of(2, 1, 3)]]);
  expect(floats(apart.map, "map").every(Number.isFinite)).toBe(true);
  expect(() => fitPlaces([[Float32Array.of(1, 2, 3)]])).toThrow("wanted at least 2");
});
