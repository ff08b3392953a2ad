/** A part of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject

/** An object of a JSON document. */
export interface JsonObject {
  /** Its members. */
  [name: string]: Json
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  /** The version of OpenAPI: 3.1.0. */
  openapi: string
  /** Title and version of the API. */
  info: JsonObject
  /** Where the API is. */
  servers: JsonObject[]
  /** Its operations, by path and method. */
  paths: Record<string, JsonObject>
  /** The request that a merchant's own server gets. */
  webhooks: Record<string, JsonObject>
  /** What the others refer to. */
  components: JsonObject
}
