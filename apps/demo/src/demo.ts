/** What `weir demo` loads: the only part of the program that has the simulators in it. */
export { type DemoRequest, runDemo } from './demo/run-demo.ts';
