import type { PeriodReport, Takings } from '@tillkit/domain'

/** What `till.reports.period` takes beside the merchant. */
export interface PeriodOptions {
  /** The cash up that ended the period; the open one when left out. */
  reference?: string | undefined
}

/** What `till.reports.takings` takes beside the merchant. */
export interface TakingsOptions {
  /**
   * Since when: an ISO 8601 date-time with `Z` or an offset, or a date such as `2026-11-20`, which begins with its day in
   * `timeZone`. The hour or day that it lies in is the first, whole.
   */
  from: string
  /** Until when, in the same forms: the hour or day that ends there, or that it lies in, is the last, whole. 1000 of them at most. */
  to: string
  /** Whether by hours, which begin when clocks there show minute 0, or by days, some of which have 23 or 25 hours. */
  by: 'hour' | 'day'
  /** Whose hours and days: an IANA name such as `Europe/Berlin`. */
  timeZone: string
}

/** `till.reports` */
export interface Reports {
  /**
   * What was taken in the merchant's open period (an X report, which changes nothing), or in the one that a cash up ended (a Z
   * report, `final` once none of its payments is pending): as it is at one moment, whatever goes on beside it. An unknown
   * merchant or reference throws `not_found`.
   */
  period(merchantId: string, options?: PeriodOptions): Promise<PeriodReport>
  /**
   * What was taken in each hour or day: by the completed payments that were started in it, of one merchant, or of all of them
   * for null. Those in which nothing was are there too. Of one merchant it is as it is at one moment. Throws
   * `not_found` for an unknown merchant, and `invalid_input` for a time zone that had, at the time, an offset of no whole quarters of an hour.
   */
  takings(merchantId: string | null, options: TakingsOptions): Promise<Takings[]>
}
