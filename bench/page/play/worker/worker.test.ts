import { expect, test } from 'vitest'
import fc from 'fast-check'
import * as node from '../../../../sim/random/digest.ts'
import { LatestWins } from './latest-wins.ts'
import * as browser from './browser-digest.ts'

const atOnce = { breathe: () => Promise.resolve(), sleep: () => Promise.resolve() }

/** Grants requests in three pieces each, and writes down every piece. */
function granting(onPiece: (request: string, piece: number) => void): {
  readonly latest: LatestWins<string>
  readonly done: string[]
} {
  const done: string[] = []
  const latest = new LatestWins<string>(async (request, pause) => {
    for (const piece of [1, 2, 3]) {
      done.push(`${request}${piece}`)
      onPiece(request, piece)
      if (!(await pause())) return
    }
  }, atOnce)
  return { latest, done }
}

test('given requests during the work for another, that work ends and only the latest is granted', async () => {
  const { latest, done } = granting((request, piece) => {
    if (request !== 'a' || piece !== 2) return
    void latest.request('b')
    void latest.request('c')
  })
  await latest.request('a')
  expect(done).toEqual(['a1', 'a2', 'c1', 'c2', 'c3'])
})

test('given a request that fails, the next one is granted', async () => {
  const done: string[] = []
  const latest = new LatestWins<string>((request) => {
    if (request === 'bad') return Promise.reject(new Error('no'))
    done.push(request)
    return Promise.resolve()
  }, atOnce)
  await expect(latest.request('bad')).rejects.toThrow('no')
  await latest.request('good')
  expect(done).toEqual(['good'])
})

test.each(['before', 'during'])('given a request %s a rest, there is no rest', async (when) => {
  const goingOn: boolean[] = []
  const never = new Promise<void>(() => undefined)
  const latest = new LatestWins<string>(
    async (request, pause) => {
      if (request === 'a' && when === 'before') void latest.request('b')
      const rest = pause(request === 'a' ? 1000 : 0)
      if (request === 'a' && when === 'during') void latest.request('b')
      goingOn.push(await rest)
    },
    { ...atOnce, sleep: () => never },
  )
  await latest.request('a')
  expect(goingOn).toEqual([false, true])
})

test('given any text, the digests in a browser are those of Node', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (pieces) => {
      const digests = [new node.TextDigest(), new browser.TextDigest()]
      for (const digest of digests) for (const piece of pieces) digest.add(piece)
      const [ofNode, ofBrowser] = digests.map((digest) => digest.hex())
      expect(ofBrowser).toBe(ofNode)
      expect(browser.shortDigest(pieces.join())).toBe(node.shortDigest(pieces.join()))
    }),
  )
})
