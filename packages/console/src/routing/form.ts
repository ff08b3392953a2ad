import { type HttpRequest, RequestError, readForm } from '@tillkit/http'

/** Fields of a form by name, the last of each; what was not sent is an empty text. */
export interface Form {
  /** One field, without spaces around it. */
  get(name: string): string
  /** All of one name: boxes that were ticked. */
  all(name: string): string[]
  /** The bytes of a file that was chosen; null where none was. */
  file(name: string): Uint8Array | null
}

/** An upload, a settlement of many thousand rows, takes longer than a form. */
const UPLOAD = { bytes: 16 * 1024 * 1024, seconds: 60 }
const FORM = { bytes: 64 * 1024, fields: 250 }

/** Reads a form, with files or without. Rejects with `RequestError` for one that is too large, too slow or none. */
export async function readAnyForm(request: HttpRequest): Promise<Form> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return formOf(await readForm(request, FORM))
  const body = await request.body(UPLOAD)
  try {
    const data = await new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { 'Content-Type': type },
    }).formData()
    const fields = new URLSearchParams()
    const files = new Map<string, Uint8Array>()
    for (const [name, value] of data) {
      if (typeof value === 'string') fields.append(name, value)
      else if (value.size > 0) files.set(name, new Uint8Array(await value.arrayBuffer()))
    }
    return formOf(fields, files)
  } catch {
    throw new RequestError(400, 'the form cannot be read')
  }
}

function formOf(fields: URLSearchParams, files = new Map<string, Uint8Array>()): Form {
  return {
    get: name => (fields.getAll(name).at(-1) ?? '').trim(),
    all: name => fields.getAll(name),
    file: name => files.get(name) ?? null,
  }
}
