import { Simulator } from './state/simulator.ts'
console.log(new Simulator(() => undefined))
