import { adapterConformance } from '@tillkit/http/adapter-conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { serve } from './hono-host.ts'

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })

adapterConformance(
  { describe, test, expect },
  { serve, errors: 'masked', targets: 'resolved', trustsProxies: false },
  { certificate: { key, cert }, openTill: () => createTill({ storage: memoryStorage() }) },
)
