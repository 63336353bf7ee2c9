/** Opens the streams, and counts the frames that come. Its arguments: the address, and how many. */

import { request } from 'node:http'

const [, , url = '', pages = '0'] = process.argv
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const wanted = Number(pages)
let frames = 0
let begun = 0

const answer = await fetch(`${url}/page/queues`, { headers: sameOrigin })
const { queues }: { queues: { id: string }[] } = JSON.parse(await answer.text())
const path = `/page/stream?queue=${queues[0]?.id ?? ''}`

for (let page = 0; page < wanted; page++) {
  request(`${url}${path}`, { headers: sameOrigin, agent: false }, (response) => {
    let isFirst = true
    response.on('data', (chunk: Buffer) => {
      if (!chunk.includes('data: {')) return
      frames++
      if (!isFirst) return
      isFirst = false
      if (++begun === wanted) process.send?.(frames)
    })
  }).end()
}

process.on('message', () => process.send?.(frames))
process.on('disconnect', () => process.exit(0))
