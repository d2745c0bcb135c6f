import { printable } from "../../platform/printable.js";

/** How to call a model of this name, from four places. `more` are its outputs besides the class. */
export function callingExamples(name: string, more: readonly string[]): string[] {
  const names = more.join(", ");
  const quoted = ["class", ...more].map((each) => `"${each}"`).join(", ");
  const file = printable(name).replaceAll('"', "");
  return [
    "Node:",
    "",
    "```js",
    'import { InferenceSession, Tensor } from "onnxruntime-node";',
    `const session = await InferenceSession.create("${file}");`,
    'const image = new Tensor("uint8", rgb, [1, height, width, 3]); // a Uint8Array, red green blue red green …',
    `const { class: classes, ${names} } = await session.run({ image });`,
    "```",
    "",
    "Python:",
    "",
    "```python",
    "import numpy, onnxruntime",
    "from PIL import Image",
    `session = onnxruntime.InferenceSession("${file}")`,
    'image = numpy.asarray(Image.open("image.jpg").convert("RGB"))[None]',
    `classes, ${names} = session.run([${quoted}], {"image": image})`,
    "```",
    "",
    "Browser:",
    "",
    "```js",
    'import * as ort from "onnxruntime-web";',
    `const session = await ort.InferenceSession.create("${file}");`,
    "const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height); // with alpha",
    "const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => data[Math.floor(i / 3) * 4 + (i % 3)]);",
    `const { ${more.at(-1)} } = await session.run({ image: new ort.Tensor("uint8", rgb, [1, height, width, 3]) });`,
    "```",
    "",
    "C++:",
    "",
    "```cpp",
    `Ort::Session session(env, "${file}", Ort::SessionOptions{});`,
    "std::array<int64_t, 4> shape{1, height, width, 3};",
    "auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);",
    "auto image = Ort::Value::CreateTensor<uint8_t>(memory, rgb.data(), rgb.size(), shape.data(), shape.size());",
    `const char* in[] = {"image"}; const char* out[] = {${quoted}};`,
    `auto answers = session.Run(Ort::RunOptions{}, in, &image, 1, out, ${1 + more.length});`,
    "```",
  ];
}
