/** The longest answer that is read: a hundred payments with the largest `extra`, each character escaped, are below it. */
const MOST_BYTES = 16 * 1024 * 1024

/** The text of an answer; null where it is longer than any of the API's. */
export async function readBody(response: Response): Promise<string | null> {
  if (Number(response.headers.get('content-length')) > MOST_BYTES) {
    await response.body?.cancel()
    return null
  }
  if (response.body === null || response.body === undefined) return response.text()
  const reader = response.body.getReader()
  const text = new TextDecoder()
  let whole = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return whole + text.decode()
    size += value.byteLength
    if (size > MOST_BYTES) {
      await reader.cancel()
      return null
    }
    whole += text.decode(value, { stream: true })
  }
}
