import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as node from '../../../../sim/random/digest.ts'
import * as browser from './browser-digest.ts'

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
