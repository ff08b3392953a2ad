import { test } from 'vitest'
import { createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { race } from '../processes/race.ts'

overCitus(() => {
  test('four processes race, two are killed', { timeout: 240_000 }, async () => {
    const { address, drop } = await createOnCitus()
    await race([address])
    await drop()
  })
})
