import { pagePosition } from '@tillkit/domain'
import { type Html, html } from '@tillkit/http'
import type { Visit } from '../routing/visit.ts'

/** How many rows a page of a list has. */
export const PER_PAGE = 50

/** Which page of a list the query asks for: the first where it asks for none that could be. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/** Where a page of a list stands, with links to its neighbours, the first and the last. */
export function pager(visit: Visit, total: number, page: number): Html {
  const { totalPages, prevPage, nextPage } = pagePosition({ page, perPage: PER_PAGE, offset: 0 }, total)
  const { count } = visit.settings.formats
  const words = html`<span>${count(total)} in all${totalPages > 1 && `, page ${count(page)} of ${count(totalPages)}`}</span>`
  if (totalPages <= 1 && page === 1) return html`<p class="soft">${words}</p>`
  const link = (text: string, to: number | null) =>
    to !== null && html`<a href="${sameWith(visit, 'page', String(to))}">${text}</a>`
  return html`<nav class="pager" aria-label="Pages of the list">${words}
${link('First', page > 1 ? 1 : null)} ${link('Newer', prevPage)} ${link('Older', nextPage)} ${link('Last', page < totalPages ? totalPages : null)}</nav>`
}

/** This page's address with one parameter changed. */
function sameWith({ query, path, to }: Visit, name: string, value: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('done')
  parameters.set(name, value)
  return `${to(path)}?${parameters}`
}
