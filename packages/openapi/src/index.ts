/**
 * The merchant payments API written down for programs: `openApiDocument` makes the document, `apiReference` serves it with a
 * page to read and try the API on.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export type { Json, JsonObject, OpenApiDocument } from './document.ts'
export { openApiDocument } from './openapi-document.ts'
export type { DocumentedFeatures, OpenApiOptions } from './options.ts'
export { type ApiReferenceOptions, apiReference } from './reference/api-reference.ts'
