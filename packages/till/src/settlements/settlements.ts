import { isText, MAX_REFERENCE_LENGTH, pageRequest, sliceOf, validate } from '@tillkit/domain'
import { assertType } from '../assert-type.ts'
import type { Context } from '../context.ts'
import type { Settlements } from './calls.ts'
import { importStatement } from './import-statement.ts'

export function settlements(context: Context): Settlements {
  const { storage } = context
  return {
    import: importStatement(context),

    async list(page) {
      return storage.settlements.list(sliceOf(validate(pageRequest, page ?? {}, 'a page')))
    },

    async get(statementReference, page) {
      assertType('string', statementReference, 'statementReference')
      const slice = sliceOf(validate(pageRequest, page ?? {}, 'a page'))
      return isText(statementReference, MAX_REFERENCE_LENGTH)
        ? storage.settlements.get(statementReference, slice)
        : null
    },
  }
}
