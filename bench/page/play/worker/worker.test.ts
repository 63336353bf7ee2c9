import { expect, test } from 'vitest'
import fc from 'fast-check'
import * as node from '../../../../sim/random/digest.ts'
import { LatestWins } from './latest-wins.ts'
import * as browser from './browser-digest.ts'

const atOnce = { breathe: () => Promise.resolve(), sleep: () => Promise.resolve() }

/** Grants wishes in three pieces each, and writes down every piece. */
function granting(onPiece: (wish: string, piece: number) => void = () => undefined): {
  readonly latest: LatestWins<string>
  readonly done: string[]
} {
  const done: string[] = []
  const latest = new LatestWins<string>(async (wish, pause) => {
    for (const piece of [1, 2, 3]) {
      done.push(`${wish}${piece}`)
      onPiece(wish, piece)
      if (!(await pause())) return
    }
  }, atOnce)
  return { latest, done }
}

test('given one wish, all of it is granted', async () => {
  const { latest, done } = granting()
  await latest.wish('a')
  expect(done).toEqual(['a1', 'a2', 'a3'])
})

test('given wishes during the work for another, that work ends and only the latest is granted', async () => {
  const { latest, done } = granting((wish, piece) => {
    if (wish !== 'a' || piece !== 2) return
    void latest.wish('b')
    void latest.wish('c')
  })
  await latest.wish('a')
  expect(done).toEqual(['a1', 'a2', 'c1', 'c2', 'c3'])
})

test('given a wish that fails, the next one is granted', async () => {
  const done: string[] = []
  const latest = new LatestWins<string>((wish) => {
    if (wish === 'bad') return Promise.reject(new Error('no'))
    done.push(wish)
    return Promise.resolve()
  }, atOnce)
  await expect(latest.wish('bad')).rejects.toThrow('no')
  await latest.wish('good')
  expect(done).toEqual(['good'])
})

test.each(['before', 'during'])('given a wish %s a rest, there is no rest', async (when) => {
  const goingOn: boolean[] = []
  const never = new Promise<void>(() => undefined)
  const latest = new LatestWins<string>(
    async (wish, pause) => {
      if (wish === 'a' && when === 'before') void latest.wish('b')
      const rest = pause(wish === 'a' ? 1000 : 0)
      if (wish === 'a' && when === 'during') void latest.wish('b')
      goingOn.push(await rest)
    },
    { ...atOnce, sleep: () => never },
  )
  await latest.wish('a')
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
