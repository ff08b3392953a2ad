import { TillError } from '@tillkit/domain'

/** Bytes as text, and text as it is. Throws `TillError` for bytes that are not of the encoding. */
export async function* decoded(
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of stream) yield textOf(() => decode(decoder, chunk))
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
