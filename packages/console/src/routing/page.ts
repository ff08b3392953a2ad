import type { Html, HttpResponse } from '@tillkit/http'
import type { Permission } from '../operator/permissions.ts'
import type { Form } from './form.ts'
import type { MerchantVisit, Visit } from './visit.ts'

/** What a page shows below the head that all have. */
export interface Shown {
  /** The heading, and the title of the window. */
  title: string
  /** What stands below it. */
  content: Html
  /** After how many seconds the parts that have `data-live` are fetched again; never when left out. */
  live?: number | undefined
  /** The status of the answer: 200 when left out. */
  status?: number | undefined
}

/** What came of an action: back to a page, or something that is shown this once, such as a key. */
export type Done =
  | {
      /** The page to go to, below the mount; the form's own when left out. */
      to?: string
    }
  | {
      /** Shown in the answer itself, and nowhere else. */
      shown: Shown
    }

/** What a form of a page does. */
export interface Action<V extends Visit = Visit> {
  /** What somebody must be allowed to do. */
  needs: Permission
  /** What it is called in the log of actions: `merchants.suspend`. */
  name: string
  /** What the page says when it was done. */
  says: string
  /** The fields that the log of actions has, each as `form.get` has it. None that is a secret. */
  logs?: readonly string[]
  /** What the log of actions has besides, where that is not a field: what it is done to, as this server has it. */
  details?(visit: V, form: Form): Readonly<Record<string, string>>
  /** Whether one form does it once however often it is sent, to this process or another, so that it may be where nobody knows what came of it. */
  repeatable?: boolean
  /** Does it. A `TillError` is shown on the page; nothing was done then. */
  run(visit: V, form: Form): Promise<Done | undefined>
}

/** A page that is about all merchants, or about none. */
export interface WholePage extends Described<Visit> {
  /** Below the mount: `/merchants/new`. */
  path: string
  /** Whether it shows something of all merchants, and so is not there for who may see some. */
  whole?: boolean
}

/** A page of one merchant, which is not there for who may not see that merchant. */
export interface MerchantPage extends Described<MerchantVisit> {
  /** Below the merchant's own: `/payments/{id}`. */
  ofMerchant: string
}

/** What all pages have. */
export interface Described<V extends Visit> {
  /** What somebody must be allowed to do to see it. */
  needs: Permission
  /** Shows it. Null is a 404. A whole response, a file for example, is answered as it is. */
  show(visit: V): Promise<Shown | HttpResponse | null>
  /** What it says to whoever comes here from a form of another page, by the value of that form's field `action`. */
  says?: Readonly<Record<string, string>>
  /** What its forms do, by the value of their field `action`. */
  actions?: Readonly<Record<string, Action<V>>>
}

/** One page of the console: a module of `src/pages` each. */
export type Page = WholePage | MerchantPage

/** For the module of a page that is of no one merchant. */
export const page = (described: WholePage): WholePage => described

/** For the module of a page of one merchant. */
export const merchantPage = (described: MerchantPage): MerchantPage => described
