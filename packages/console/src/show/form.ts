import { type Content, type Html, html } from '@tillkit/http'
import type { Visit } from '../routing/visit.ts'

/** A form of this page that does `action`; one that takes files is sent in another way. */
export function form(visit: Visit, action: string, content: Content, { files = false } = {}): Html {
  const problem =
    visit.again?.action === action &&
    html`<p class="notice bad" role="alert">${sentence(visit.again.problem)}</p>`
  return html`<form method="post"${files && html` enctype="multipart/form-data"`}><input type="hidden" name="token" value="${visit.form.token}">
<input type="hidden" name="once" value="${visit.form.once()}"><input type="hidden" name="action" value="${action}">
${problem}${content}</form>`
}

/** What was entered into a field of this form before, where it is shown again; otherwise what is there. */
export function entered(visit: Visit, action: string, name: string, value: string): string {
  return visit.again?.action === action ? visit.again.form.get(name) : value
}

/** The same of a box to tick. */
export function ticked(visit: Visit, action: string, name: string, value: boolean): boolean {
  return visit.again?.action === action ? visit.again.form.get(name) !== '' : value
}

/** The button of a form. */
export function button(text: string, kind?: 'quiet' | 'danger'): Html {
  return html`<button${kind && html` class="${kind}"`}>${text}</button>`
}

/** A form behind its summary, for what is not done by mistake. Open where something was wrong with it. */
export function disclosed(visit: Visit, action: string, summary: string, content: Content): Html {
  const open = visit.again?.action === action
  return html`<details${open && html` open`}><summary>${summary}</summary>${form(visit, action, content)}</details>`
}

/** A problem as a sentence: messages begin with the name of a field. */
export function sentence(problem: string): string {
  return `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`
}
