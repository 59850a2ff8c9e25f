export { launch } from './launcher/launch';
export { printMemory } from './memory';
