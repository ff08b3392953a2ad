import { adapterConformance } from '@tillkit/http/adapter-conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { serve } from './host.ts'

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })

adapterConformance(
  { describe, test, expect },
  { serve, errors: 'host', targets: 'all', trustsProxies: true },
  { certificate: { key, cert }, openTill: () => createTill({ storage: memoryStorage() }) },
)
