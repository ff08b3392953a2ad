import type { HttpHandler, HttpRequest } from '@tillkit/http'
import type { OpenApiDocument } from '@tillkit/openapi'
import { type Complaints, comparing, complaintsBy } from './documented.ts'

type Http = typeof import('@tillkit/http')

const complaints: string[] = []
let compared = 0
let complaintsOf: Complaints = () => ['no document was given']

/** Says what answers are compared with. */
export function compareWith(document: OpenApiDocument): void {
  complaintsOf = complaintsBy(document)
}

/** What was not documented since it was last asked. */
export const newComplaints = () => complaints.splice(0)

/** How many answers were compared. */
export const comparedSoFar = () => compared

/** `@tillkit/http` with handlers whose every answer is compared. It loads no document: that is made of what it takes the place of. */
export function watchedHttp(original: Http): Http {
  const watched = (handler: HttpHandler, prefix: '' | '/qr'): HttpHandler => {
    const checked = comparing(handler, prefix, answered => complaintsOf(answered), complaints)
    return request => {
      compared += 1
      return checked(request)
    }
  }
  return {
    ...original,
    merchantApi: (...given) => watched(original.merchantApi(...given), ''),
    qrEndpoints(...given) {
      const handler = original.qrEndpoints(...given)
      const checked = watched(handler, '/qr')
      // What a host answers to a scan itself, it knows itself.
      return given[1]?.onScan ? request => (isImage(request) ? checked : handler)(request) : checked
    },
  }
}

const isImage = ({ path }: HttpRequest) => /\.(svg|png)$/.test(path)
