import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

const create = (versions: object) => {
  vi.stubGlobal('process', { ...process, versions })
  return () => createTill({ storage: memoryStorage(), logger: false })
}

test('a Node that is too old is said in one sentence, whatever else is wrong', () => {
  for (const node of ['20.20.2', '18.0.0', '21.7.3', '9.11.2']) {
    const message = `Tillkit needs Node 22 or later, and this is Node ${node}`
    expect(create({ node })).toThrow(message)
    expect(() => createTill(undefined as never)).toThrow(message)
  }
})

test('one that is new enough is taken, and so is what is not Node', () => {
  const others = [
    { node: '22.0.0' },
    { node: '100.1.0' },
    { node: '18.0.0', bun: '1.2.0' },
    { node: '20.11.1', deno: '2.0.0' },
    {},
  ]
  for (const versions of others) expect(create(versions)).not.toThrow()
})
