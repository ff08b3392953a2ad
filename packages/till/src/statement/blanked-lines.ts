const END = /\r\n|\r|\n/

/** The text with its first lines empty: what stands there need be no CSV, and those after it keep their numbers. */
export async function* blankedLines(text: AsyncIterable<string>, lines: number): AsyncGenerator<string> {
  let left = lines
  // A return whose line feed may be in the next piece.
  let held = ''
  for await (const piece of text) {
    if (left === 0) {
      yield piece
      continue
    }
    let rest = held + piece
    held = ''
    while (left > 0 && rest !== '') {
      const end = END.exec(rest)
      if (end?.[0] === '\r' && end.index === rest.length - 1) held = '\r'
      if (end === null || held !== '') break
      rest = rest.slice(end.index + end[0].length)
      left -= 1
      yield '\n'
    }
    if (left === 0) yield rest
  }
}
