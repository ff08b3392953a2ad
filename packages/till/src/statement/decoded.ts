import { TillError } from '@tillkit/domain'

/** How much is parsed in one go: a file that comes in one piece would else hold up the process, and be in memory row by row. */
const PIECE = 65_536

/** Bytes as text, and text as it is. Throws `TillError` for bytes that are not of the encoding. */
export async function* decoded(
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of stream) {
    for (const piece of piecesOf(chunk)) yield textOf(() => decode(decoder, piece))
  }
  yield textOf(() => decoder.decode())

  function textOf(decode: () => string): string {
    try {
      return decode()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TillError('invalid_input', `the statement is not in ${encoding}: say its encoding`)
    }
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | string): string {
  return typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
}

function* piecesOf(chunk: Uint8Array | string): Generator<Uint8Array | string> {
  // What is neither is said to be no text where it is read.
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return yield chunk
  for (let start = 0, end = 0; start < chunk.length; start = end) {
    end = start + PIECE
    if (typeof chunk === 'string' && /[\ud800-\udbff]/.test(chunk.charAt(end - 1))) end += 1
    yield typeof chunk === 'string' ? chunk.slice(start, end) : chunk.subarray(start, end)
  }
}
