import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type Operation, operationsOf, senderTo, valuesOf } from './generated.ts'
import { wrong } from './generated-parameters.ts'
import { openServer } from './serving.ts'

describe.each([{}, { deviceLists: true }])('an account with %j', async features => {
  const { origin, document, apiKey, reference, close } = await openServer(features)
  afterAll(close)
  const known = { reference, scanCode: 'counter', scan_code_signature: 'x', scan_code_expires: '1' }
  const operations = operationsOf(document)
  const send = senderTo(origin, document)
  const valuesFor = (operation: Operation) => valuesOf(operation, known)

  test.each(operations)(
    '$method $path: valid requests are taken, and answered as documented',
    async operation => {
      await fc.assert(
        fc.asyncProperty(valuesFor(operation), async values => {
          const { status, complaints, address } = await send(operation, values, { key: apiKey })
          expect({ address, complaints }).toEqual({ address, complaints: [] })
          // An id that the merchant does not have, an image without room for its code, a tag of an image.
          expect(
            operation.open ? [200, 304, 400] : operation.path.includes('{id}') ? [200, 404] : [200],
          ).toContain(status)
        }),
        { numRuns: 25 },
      )
    },
  )

  const breakable = operations.flatMap(operation =>
    operation.parameters
      .filter(parameter => parameter.in === 'query' && wrong(parameter) !== null)
      .map(parameter => ({ ...operation, operation, parameter, name: parameter.name })),
  )

  test.each(breakable)(
    '$method $path with one thing wrong, $name, is 400 as documented',
    async ({ operation, parameter }) => {
      await fc.assert(
        fc.asyncProperty(
          valuesFor(operation),
          wrong(parameter) as fc.Arbitrary<string>,
          async (values, value) => {
            const broken = new Map([...values, [parameter, value]])
            const { status, complaints, address } = await send(operation, broken, { key: apiKey })
            expect({ address, status, complaints }).toEqual({ address, status: 400, complaints: [] })
          },
        ),
        { numRuns: 8 },
      )
    },
  )

  test.each(operations.filter(({ open }) => !open))(
    '$method $path without a good key is 401 as documented',
    async operation => {
      await fc.assert(
        fc.asyncProperty(valuesFor(operation), fc.constantFrom(null, 'tk_wrong', ''), async (values, key) => {
          const { status, complaints } = await send(operation, values, { key })
          expect({ status, complaints }).toEqual({ status: 401, complaints: [] })
        }),
        { numRuns: 5 },
      )
    },
  )
})
