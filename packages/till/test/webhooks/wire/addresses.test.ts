import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { createAddressCheck } from '../../../src/webhooks/wire/addresses/public-address.ts'
import { receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

/** Hosts of URLs that lead to what is not public, however they are written. */
const NOT_PUBLIC = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0x7f.1',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
  ],
  ...[
    '017700000001',
    '2130706433',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '0.1.2.3',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ],
  ...[
    '①②⑦.0.0.1',
    '10.0.0.1',
    '10.255.255.255',
    '0xa.1',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.0.1', '192.168.1', '0xc0a80001', '169.254.1.1', '169.254.169.254', '0xa9fea9fe', '2852039166'],
  ...[
    '168.63.129.16',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '192.0.0.192',
    '192.0.0.8',
    '192.0.2.1',
  ],
  ...[
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
  ],
  ...[
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ],
  ...[
    '[0:0:0:0:0:ffff:0a00:0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...[
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:808:808::1]',
    '[2001::1]',
    '[2001:0:808:808::1]',
  ],
  ...[
    '[::ffff:8.8.8.8]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ],
  ...[
    '[100::1]',
    '[2001:db8::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  ...[
    '[2002:a9fe:a9fe::]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1:a9fe:a9:fe00::]',
    '[2001:0:808:808::5601:5601]',
    '[::a9fe:a9fe]',
    '[::ffff:0:a9fe:a9fe]',
    '0251.0376.0251.0376',
    '0xa9.0xfe.0xa9.0xfe',
    '169.254.43518',
    '169.254.169.254.',
    '2852039166.',
  ],
]

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
]

describe('an address that is not public', () => {
  test.each(NOT_PUBLIC)('%s is not dialled as a literal', async host => {
    const { merchant, outcome, worker, delivery } = scene()
    const canary = await receiver()
    await merchant('m1', `http://${host}:${canary.port}/`)
    await outcome('m1')
    const it = worker({ allowPrivateAddresses: false })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect((await delivery('m1'))?.lastError).toMatch(/^address \S+ is not public$/)
    expect(canary.connections()).toBe(0)
  })

  test.each(NOT_PUBLIC)('%s is not dialled as the answer to a name', async host => {
    const { merchant, outcome, worker, delivery } = scene()
    const canary = await receiver()
    const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '')
    await merchant('m1', `http://shop.example:${canary.port}/`)
    await outcome('m1')
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    const it = worker({ allowPrivateAddresses: false }, { resolve })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect((await delivery('m1'))?.lastError).toBe(`address ${address} is not public`)
    expect(canary.connections()).toBe(0)
  })

  test.each(NOT_PUBLIC)('%s is not dialled as the target of a redirect', async host => {
    const { merchant, outcome, worker, delivery } = scene()
    const canary = await receiver()
    const hook = await receiver(response =>
      response.writeHead(307, { Location: `http://${encodeURI(host)}:${canary.port}/` }).end(),
    )
    await merchant('m1', hook.url)
    await outcome('m1')
    const it = worker({ allowPrivateAddresses: false, allowedNetworks: ['127.0.0.1/32'] })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect((await delivery('m1'))?.lastError).toBe('answered 307')
    expect(canary.connections()).toBe(0)
  })

  test.each(['localhost', 'LOCALHOST'])('%s, as the system resolves it', async host => {
    const { merchant, outcome, worker, delivery } = scene()
    const canary = await receiver()
    await merchant('m1', `http://${host}:${canary.port}/`)
    await outcome('m1')
    await worker({ allowPrivateAddresses: false }).deliverDue()
    expect((await delivery('m1'))?.lastError).toMatch(/^address (127\.0\.0\.1|::1) is not public$/)
    expect(canary.connections()).toBe(0)
  })

  test('one such answer among public ones is enough', async () => {
    const { merchant, outcome, worker, delivery } = scene()
    const canary = await receiver()
    await merchant('m1', `http://shop.example:${canary.port}/`)
    await outcome('m1')
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    await worker({ allowPrivateAddresses: false }, { resolve }).deliverDue()
    expect((await delivery('m1'))?.lastError).toBe('address 127.0.0.1 is not public')
    expect(canary.connections()).toBe(0)
  })
})

test('a name is resolved once for a connection, and the answer that was checked is dialled', async () => {
  const { merchant, outcome, worker, delivery } = scene()
  const hook = await receiver()
  const canary = await receiver()
  await merchant('m1', `http://shop.example:${hook.port}/`)
  await outcome('m1')
  let asked = 0
  const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  await worker({ allowPrivateAddresses: false, allowedNetworks: ['127.0.0.1/32'] }, { resolve }).deliverDue()
  expect(asked).toBe(1)
  expect(await delivery('m1')).toMatchObject({ state: 'delivered' })
  expect(hook.received[0]?.headers.host).toBe(`shop.example:${hook.port}`)
  expect(canary.connections()).toBe(0)
})

describe('createAddressCheck', () => {
  test.each(PUBLIC)('%s is public', address => {
    expect(createAddressCheck({})(address)).toBe(true)
  })

  test.each(['', 'localhost', '0x7f.1', '127.1', '1.1.1.1.', '[::1]', 'fe80::1%eth0'])(
    '%s does not pass',
    address => {
      expect(createAddressCheck({})(address)).toBe(false)
    },
  )

  test('allowedNetworks lets what is in them through, in their own family', () => {
    const isAllowed = createAddressCheck({ allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32'] })
    expect(['10.1.2.3', 'fd00:1::5', '1.1.1.1'].map(isAllowed)).toEqual([true, true, true])
    expect(['10.2.0.1', 'fd00:2::5', '::ffff:10.1.2.3'].map(isAllowed)).toEqual([false, false, false])
  })

  test('a form of an IPv4 address passes where both the form and what it leads to are allowed', () => {
    const isAllowed = createAddressCheck({ allowedNetworks: ['64:ff9b::/96', '10.1.0.0/16', '::1/128'] })
    expect(['64:ff9b::8.8.8.8', '64:ff9b::10.1.2.3', '::1'].map(isAllowed)).toEqual([true, true, true])
    expect(['64:ff9b::10.2.0.1', '64:ff9b::127.0.0.1', '2002:808:808::1'].map(isAllowed)).toEqual([
      ...[false, false, false],
    ])
  })
})

/** Each way to write an IPv4 address as an IPv6 one, filled up with bits of no meaning. */
const EMBEDDINGS: Record<string, (v4: number[], noise: number[]) => number[]> = {
  mapped: v4 => [...zeros(10), 255, 255, ...v4],
  compatible: v4 => [...zeros(12), ...v4],
  translated: v4 => [...zeros(8), 255, 255, 0, 0, ...v4],
  NAT64: v4 => [0, 0x64, 0xff, 0x9b, ...zeros(8), ...v4],
  'NAT64 of its own, /48': ([a, b, c, d], noise) => [...LOCAL, a, b, noise[0], c, d, ...noise.slice(0, 5)],
  'NAT64 of its own, /56': ([a, b, c, d], noise) => [
    ...LOCAL,
    noise[0],
    a,
    noise[1],
    b,
    c,
    d,
    ...noise.slice(0, 4),
  ],
  'NAT64 of its own, /64': (v4, noise) => [...LOCAL, ...noise.slice(0, 3), ...v4, ...noise.slice(0, 3)],
  'NAT64 of its own, /96': (v4, noise) => [...LOCAL, ...noise.slice(0, 6), ...v4],
  '6to4': (v4, noise) => [0x20, 0x02, ...v4, ...noise.slice(0, 10)],
  'Teredo’s server': (v4, noise) => [0x20, 0x01, 0, 0, ...v4, ...noise.slice(0, 8)],
  'Teredo’s client': (v4, noise) => [0x20, 0x01, 0, 0, ...noise.slice(0, 8), ...v4.map(byte => 255 - byte)],
} as Record<string, (v4: number[], noise: number[]) => number[]>

const LOCAL = [0, 0x64, 0xff, 0x9b, 0, 1]
const zeros = (count: number) => Array<number>(count).fill(0)
const textOf = (bytes: number[]) => ipaddr.fromByteArray(bytes).toString()

const byte = fc.integer({ min: 0, max: 255 })
const METADATA = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192']
const ipv4 = fc.oneof(
  fc.tuple(byte, byte, byte, byte),
  fc
    .constantFrom(...METADATA, '127.0.0.1', '10.1.2.3', '192.168.0.1', '8.8.8.8')
    .map(text => ipaddr.parse(text).toByteArray()),
)
const options = fc.record({
  allowPrivateAddresses: fc.boolean(),
  allowedNetworks: fc.subarray([
    '0.0.0.0/0',
    '10.1.0.0/16',
    '169.254.0.0/16',
    '::/0',
    '64:ff9b::/96',
    '2002::/16',
  ]),
})

describe('whatever the options', () => {
  test.each(Object.entries(EMBEDDINGS))('%s is never laxer than the address that it holds', (_, embed) => {
    fc.assert(
      fc.property(ipv4, fc.array(byte, { minLength: 10, maxLength: 10 }), options, (v4, noise, given) => {
        const isAllowed = createAddressCheck(given)
        if (isAllowed(textOf(embed(v4, noise)))) expect(isAllowed(textOf(v4))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  const lax = createAddressCheck({ allowPrivateAddresses: true, allowedNetworks: ['0.0.0.0/0', '::/0'] })

  test('what is no metadata address passes', () => {
    expect(['127.0.0.1', '10.0.0.1', '::1', '64:ff9b::10.0.0.1', '2002:a00:1::'].map(lax)).toEqual([
      ...[true, true, true, true, true],
    ])
  })

  test.each(METADATA)('%s does not, in any form', address => {
    const v4 = ipaddr.parse(address).toByteArray()
    const noise = Array.from({ length: 10 }, (_, n) => n + 1)
    const forms = Object.values(EMBEDDINGS).map(embed => textOf(embed(v4, noise)))
    const inAnOwnPrefix = textOf([0x20, 0x01, 0x0d, 0xb8, ...zeros(8), ...v4])
    expect([address, ...forms, inAnOwnPrefix].filter(lax)).toEqual([])
  })

  test.each([
    ...['fd00:ec2:0::254', 'fd00:ec2::254%1', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42'],
    ...['fe80::a9fe:a9fe', 'fe80::a9fe:a9fe%eth0', '169.254.0.23', '169.254.255.255'],
  ])('%s does not', address => {
    expect(lax(address)).toBe(false)
  })

  test.each([
    ...[
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0251.0376.0251.0376/',
      'http://169.254.169.254./',
    ],
    ...['http://[::ffff:169.254.169.254]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[2002:a9fe:a9fe::1]/'],
  ])('a webhook to %s is refused', async url => {
    const { merchant, outcome, worker, delivery } = scene()
    await merchant('m1', url)
    await outcome('m1')
    const it = worker({ allowPrivateAddresses: true, allowedNetworks: ['0.0.0.0/0', '::/0'] })
    expect(await it.deliverDue()).toEqual({ delivered: 0, failed: 1 })
    expect((await delivery('m1'))?.lastError).toMatch(/^address \S+ is not public$/)
  })

  test.each(['metadata.google.internal', 'shop.example.', 'printer.localhost'])(
    'a webhook to %s is refused where one of its addresses is such a one',
    async host => {
      const { merchant, outcome, worker, delivery } = scene()
      const canary = await receiver()
      await merchant('m1', `http://${host}:${canary.port}/`)
      await outcome('m1')
      const resolve = async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '64:ff9b::a9fe:a9fe', family: 6 },
      ]
      await worker({ allowPrivateAddresses: true }, { resolve }).deliverDue()
      expect((await delivery('m1'))?.lastError).toBe('address 64:ff9b::a9fe:a9fe is not public')
      expect(canary.connections()).toBe(0)
    },
  )
})
