import { type Content, type Html, html } from '@tillkit/http'

/** A column of a table. */
export interface Column<Row> {
  /** Its heading. */
  heading: Content
  /** What stands in it. */
  cell(row: Row): Content
  /** `number` is set to the right, `wide` is left out where the window is narrow, `box` holds a box to tick. */
  kind?: 'number' | 'wide' | 'wide number' | 'box'
}

/** A table that scrolls by itself where it is too wide; its first column heads each row. Nothing but words where it is empty. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`
  const kindOf = (kind: string | undefined) => kind && html` class="${kind}"`
  const cells = (row: Row) =>
    columns.map(({ cell, kind }, i) =>
      i === 0 && kind !== 'box'
        ? html`<th scope="row"${kindOf(kind)}>${cell(row)}</th>`
        : html`<td${kindOf(kind)}>${cell(row)}</td>`,
    )
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${columns.map(({ heading, kind }) => html`<th scope="col"${kindOf(kind)}>${heading}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>`
}
