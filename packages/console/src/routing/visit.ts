import type { HttpRequest, HttpResponse } from '@tillkit/http'
import type { Merchant, Till } from '@tillkit/till'
import type { Journal } from '../audit/journal.ts'
import type { Counting } from '../counting/counting.ts'
import type { DayCounter } from '../days/day-counter.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Visitor } from '../operator/operator.ts'
import type { Settings } from '../options.ts'
import type { Uploads } from '../settlements/uploads.ts'
import type { Enquiry } from '../unresolved/enquiry.ts'
import type { Form } from './form.ts'

/** One request for a page, as the page sees it. */
export interface Visit {
  /** What was mounted. */
  till: Till
  /** The options of the console. */
  settings: Settings
  /** The request itself. */
  request: HttpRequest
  /** Its query. */
  query: URLSearchParams
  /** What stands in the path where the page's has braces. */
  parameter: string
  /** Who asks. */
  visitor: Visitor
  /** Where the page is, below the mount. */
  path: string
  /** An address of the console for a link, relative to this page: `to('/merchants')`, `to('/merchants', { after })`. */
  to(path: string, query?: Record<string, string | number | undefined>): string
  /** An answer that leads to another page. */
  redirect(path: string, query?: Record<string, string | number | undefined>): HttpResponse
  /** What makes a form of this page this browser's own. */
  form: {
    /** Stands in each form. */
    token: string
    /** A new name, so that a form that is sent twice does its work once. */
    once(): string
  }
  /** What was entered, where the page is shown again since something was wrong; and what that was. */
  again: { form: Form; action: string; problem: string } | null
  /** The actions of this process. */
  journal: Journal
  /** What takes longer than a request. */
  jobs: Jobs
  /** Statements that were handed in. */
  uploads: Uploads
  /** Adds up what may take long. */
  counting: Counting
  /** Counts days of all merchants. */
  days: DayCounter
  /** Asks the processor; null where the host gave no `lookup`. */
  enquiry: Enquiry | null
}

/** A request for a page of one merchant. */
export interface MerchantVisit extends Visit {
  /** Whose page it is. */
  merchant: Merchant
}
