import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { readImage } from "../data/images/readImage.js";
import { descriptionOf } from "../deployment/model/modelDescription.js";
import { modelFile } from "../deployment/model/modelFile.js";
import { baselineInfoOf, infoOf } from "../deployment/model/modelInfo.js";
import { outOfDomainRule } from "../deployment/model/outOfDomain.js";
import { readModel } from "../engine/onnx/readModel.js";
import { mostUncertain } from "../methods/gamma-ssl/score.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { makeFolder, readRegularFile } from "../platform/files.js";
import { builtPage, type SiteEntry, siteEntry } from "./builtPage.js";
import { type Example, exampleImages } from "./examples.js";
import {
  type RuntimeKind,
  runtimeFiles,
  runtimeFolder,
  type SiteFile,
  type SiteManifest,
  type SiteModel,
  type SiteTraining,
} from "./manifest.js";
import { trainingPlan } from "./trainingPlan.js";

/** What a site shows besides its models. */
export interface SiteOptions {
  /** Images to begin with, as files; when left out, drawn streets for models of drawn streets, and none for others. They become part of the site. */
  readonly examples?: readonly string[] | undefined;
  /** With the view in which a visitor watches γ-SSL train: 3.5 MB more, which only who opens it loads. */
  readonly training?: boolean | undefined;
}

/** A model whose file was read already. */
export interface ReadModel {
  readonly name: string;
  /** For messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Where the build leaves the page: beside this file. */
const PAGE = new URL("page", import.meta.url);

/** More would not be looked at, and every visitor loads what is chosen. */
const MOST_MODELS = 8;

/**
 * All files of the page that runs exported models in a browser, by path ("index.html", "models/…"): what `writeSite` writes and `serve`
 * takes as its site. Models are files of `exportModel`, "name=file", or bytes that were read. Names of all but index.html, models.json and sw.js contain their hash or version.
 */
export async function siteFiles(
  models: readonly (string | ReadModel)[],
  options: SiteOptions = {},
): Promise<Map<string, SiteEntry>> {
  if (models.length === 0 || models.length > MOST_MODELS) {
    throw new UserError(`a page of ${models.length} models: wanted 1 to ${MOST_MODELS}`, { code: "bad-option" });
  }
  const files = await builtPage(PAGE);
  const listed: SiteModel[] = [];
  let drawn = false;
  const named = namedModels(models.map((one) => (typeof one === "string" ? one : `${one.name}=${one.file}`)));
  for (const [i, { name, path }] of named.entries()) {
    const given = models[i]!;
    const bytes = typeof given === "string" ? await readRegularFile(path) : given.bytes;
    const { model, source } = siteModel(bytes, path, name);
    drawn ||= source.startsWith("scenes:");
    if (listed.every(({ sha256 }) => sha256 !== model.sha256)) listed.push(model);
    put(files, model.file, bytes);
  }
  const examples = (await exampleImages(options.examples ?? (drawn ? "drawn" : []))).map(
    ({ name, jpeg, width, height }: Example) => {
      const file = `examples/${sha256Of(jpeg).slice(0, 16)}.jpg`;
      put(files, file, jpeg);
      return { name, file, width, height };
    },
  );
  const training = options.training ? await withTraining(files) : withoutTraining(files);
  const runtimes = Object.fromEntries(
    Object.entries(runtimeFiles).map(([kind, parts]) => [kind, siteFile(files, `${runtimeFolder}/${parts.at(-1)!}`)]),
  ) as Record<RuntimeKind, SiteFile>;
  // WebGPU's runtime and the training's weights are kept once a visitor has used them.
  const later = ["sw.js", training?.weights.file, ...runtimeFiles.webgpu.map((name) => `${runtimeFolder}/${name}`)];
  const offline = [...files.keys()].filter((path) => !later.includes(path));
  const id = sha256Of([...files].map(([path, { bytes }]) => `${path} ${sha256Of(bytes)}\n`).join("")).slice(0, 16);
  const manifest: SiteManifest = {
    version: 1,
    id,
    models: listed,
    examples,
    ...(training && { training }),
    runtimes,
    offline,
  };
  put(files, "models.json", Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  put(files, "sw.js", Buffer.concat([Buffer.from(`const SITE = "${id}";\n`), files.get("sw.js")!.bytes]));
  return files;
}

/** Refuse what `writeSite` would refuse, before the work that leads to it: a folder that cannot be made, models and images that cannot be read. */
export async function checkSite(folder: string, models: readonly string[], options: SiteOptions = {}): Promise<void> {
  await makeFolder(folder);
  await builtPage(PAGE);
  for (const { name, path } of namedModels(models)) siteModel(await readRegularFile(path), path, name);
  for (const path of options.examples ?? []) await readImage(path);
}

/** Write the page and its models into a folder: a static site for any server. Returns the path of its index.html. */
export async function writeSite(folder: string, models: readonly string[], options: SiteOptions = {}): Promise<string> {
  const files = await siteFiles(models, options);
  for (const [path, { bytes }] of files) {
    const to = join(folder, path);
    await makeFolder(dirname(to));
    await writeAtomically(to, bytes);
  }
  return join(folder, "index.html");
}

/** What the page gets of a model, and what it learned from. */
function siteModel(bytes: Uint8Array, path: string, name: string): { model: SiteModel; source: string } {
  const { metadata } = readModel(bytes, path);
  const sha256 = sha256Of(bytes);
  const info = metadata.method === undefined ? infoOf(metadata, path) : null;
  const { training } = info ?? baselineInfoOf(metadata, path);
  const model: SiteModel = {
    name,
    file: `models/${sha256.slice(0, 16)}.onnx`,
    bytes: bytes.length,
    sha256,
    ...descriptionOf(metadata, path),
    scoreRange: info === null ? null : [1 - mostUncertain(info.score), 1],
    outOfDomainRule: info === null ? null : outOfDomainRule(info.distanceFrom),
  };
  return { model, source: String(training.source) };
}

/** What the training view needs. */
async function withTraining(files: Map<string, SiteEntry>): Promise<SiteTraining> {
  const { weights, ...plan } = trainingPlan;
  const bytes = await readRegularFile(weights);
  const file = `models/${sha256Of(bytes).slice(0, 16)}.safetensors`;
  put(files, file, bytes);
  return { ...plan, weights: siteFile(files, file) };
}

/** Without its scripts and styles, which nothing would load. */
function withoutTraining(files: Map<string, SiteEntry>): undefined {
  for (const path of files.keys()) if (path.startsWith("assets/training")) files.delete(path);
}

interface Named {
  readonly name: string;
  readonly path: string;
}

/** "name=file", or a file by its own name, with its folder's where two files have the same. */
function namedModels(models: readonly string[]): Named[] {
  const parts = models.map((model) => /^(?:([^/\\=]+)=)?(.+)$/s.exec(model)!);
  const stems = parts.map(([, , path]) => basename(path!, ".onnx"));
  return parts.map(([, given, path], i) => {
    const same = stems.filter((stem) => stem === stems[i]).length > 1;
    return { name: given ?? (same ? `${basename(dirname(path!))}/${stems[i]}` : stems[i]!), path: modelFile(path!) };
  });
}

const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

function put(files: Map<string, SiteEntry>, path: string, bytes: Uint8Array): void {
  files.set(path, siteEntry(path, bytes));
}

function siteFile(files: ReadonlyMap<string, SiteEntry>, file: string): SiteFile {
  const { bytes } = files.get(file)!;
  return { file, bytes: bytes.length, sha256: sha256Of(bytes) };
}
