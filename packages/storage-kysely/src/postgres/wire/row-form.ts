/** How pg is to read rows: see its `QueryConfig` and its `QueryArrayConfig`. */
export interface RowForm {
  /** Values in the order of the columns; by their names where it is left out. */
  rowMode?: 'array'
  /** What reads the text of a value, by its type. */
  types: {
    /** The reader of a type. */
    getTypeParser(type: number): (text: string) => unknown
  }
}

const BOOL = 16
const [INT8, INT2, INT4, OID, FLOAT4, FLOAT8] = [20, 21, 23, 26, 700, 701]

const asText = (text: string) => text
const asFlag = (text: string) => text === 't'

/**
 * Rows as arrays, read in one way whatever the host has told pg of types: whole numbers as numbers, of which `toPayment`
 * refuses those that are not safe, and all else as the server writes it.
 */
export const AS_ARRAYS: RowForm = {
  rowMode: 'array',
  types: {
    getTypeParser(type) {
      if (type === INT8 || type === INT4) return Number
      return type === BOOL ? asFlag : asText
    },
  },
}

const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, OID, FLOAT4, FLOAT8])

/** Rows as objects, read in one way as well: large whole numbers as text, as pg leaves them unless it is told otherwise. */
export const AS_OBJECTS: RowForm = {
  types: {
    getTypeParser(type) {
      if (NUMBERS.has(type)) return Number
      return type === BOOL ? asFlag : asText
    },
  },
}
