import { UserError } from "../../platform/errors.js";

const FIELD = "image";
const hint = `curl -F ${FIELD}=@image.jpg`;

/** The image of a form (multipart/form-data): its one field. `type` is the Content-Type, which says where parts end. */
export async function imageOfForm(body: Uint8Array, type: string): Promise<Uint8Array> {
  const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new UserError("the form cannot be read", {
        hint: `multipart/form-data as browsers send it, or ${hint}`,
        cause,
      });
    });
  const other = [...form.keys()].find((name) => name !== FIELD);
  if (other !== undefined) {
    throw new UserError(`the form has a field "${other.slice(0, 100)}", wanted "${FIELD}" alone`, {
      hint: `${hint}; parameters belong to the address: /v1/segment?output=classes`,
    });
  }
  const [image, ...more] = form.getAll(FIELD);
  if (image === undefined || more.length > 0) {
    throw new UserError(`the form has ${image === undefined ? "no image" : `${1 + more.length} images`}, wanted one`, {
      hint,
    });
  }
  if (typeof image === "string")
    throw new UserError(`the field "${FIELD}" is text, wanted a file`, { hint: `${hint}, with the @` });
  return new Uint8Array(await image.arrayBuffer());
}
