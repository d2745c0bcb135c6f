import { expect, test } from "vitest";
import { imageOfForm } from "./imageOfForm.js";

const image = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 256);

type Field = readonly [name: string, value: string | Uint8Array<ArrayBuffer>];

/** The image in a form as `fetch` sends it. */
async function read(fields: readonly Field[]): Promise<Uint8Array> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([value]), "a.jpg");
  }
  const sent = new Response(form);
  return imageOfForm(new Uint8Array(await sent.arrayBuffer()), sent.headers.get("content-type")!);
}

test("the one file of a form is the image, byte by byte", async () => {
  expect(await read([["image", image]])).toEqual(image);
  // As curl -F image=@a.jpg sends it.
  const boundary = "------------------------dmLU4LnJIyR2vRjvVvVWmM";
  const head = 'Content-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg';
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  expect(await imageOfForm(body, `multipart/form-data; boundary=${boundary}`)).toEqual(image);
});

test("other forms are refused with what a form has to be", async () => {
  await expect(read([])).rejects.toThrow(/no image|cannot be read/);
  await expect(
    read([
      ["image", image],
      ["image", image],
    ]),
  ).rejects.toThrow("has 2 images, wanted one");
  await expect(read([["image", "a.jpg"]])).rejects.toThrow('the field "image" is text, wanted a file');
  await expect(read([["file", image]])).rejects.toThrow('has a field "file", wanted "image" alone');
  await expect(
    read([
      ["image", image],
      ["gamma", "0.5"],
    ]),
  ).rejects.toMatchObject({ hint: expect.stringContaining("?output=") });
  for (const [body, type] of [
    ["", "multipart/form-data; boundary=b"],
    ["--b\r\n", "multipart/form-data; boundary=b"],
    ["--b--", "multipart/form-data"],
  ] as const)
    await expect(imageOfForm(Buffer.from(body), type)).rejects.toThrow(/cannot be read|no image/);
});
