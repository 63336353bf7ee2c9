/** A defect for each sentence of the argument that one server works on the repositories. */

import type { Defect } from './defect.ts'

export const workDefects: readonly Defect[] = [
  {
    name: 'tells-after-its-term',
    sentence: 'what a server sends is decided only while its term lasts',
    working: (ports) => ({ ...ports, within: (enter) => enter }),
  },
  {
    name: 'works-without-a-term',
    sentence: 'a server works only if the database gives it the term',
    working: ({ terms, ...ports }) => ({
      ...ports,
      terms: { ...terms, take: async (server) => (await terms.take(server)) || true },
    }),
  },
  {
    name: 'a-term-for-ever',
    sentence: 'a server counts by its own clock when its term is over',
    working: (ports) => ({ ...ports, clock: () => 0 }),
  },
  {
    name: 'asks-for-the-term-once',
    sentence: 'a server that does not work asks for the term again and again',
    working: ({ terms, ...ports }) => {
      let isRefused = false
      return {
        ...ports,
        terms: {
          ...terms,
          take: async (server) => {
            if (!isRefused) isRefused = !(await terms.take(server))
            return !isRefused
          },
        },
      }
    },
  },
]
