/** A piece of HTML that is safe to show: made by `html`, or vouched for by `trusted`. */
export class Html {
  /** The HTML. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template: text is escaped, nothing is shown for null, false and undefined. */
export type Content = string | number | Html | readonly Content[] | null | undefined | false

/** Writes HTML. Whatever is put in is escaped, in text and in quoted attributes, unless it is `Html` itself. */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(literals.reduce((text, literal, i) => `${text}${render(values[i - 1])}${literal}`))
}

/** HTML as it is: for what the host wrote, and never for what anybody else did. */
export function trusted(text: string): Html {
  return new Html(text)
}

function render(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replace(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`)
}
