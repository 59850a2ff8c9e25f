export { envExample } from '@autoposter/config';
export { migrateCommand } from './launcher/database';
export { checkRequest, launch } from './launcher/launch';
export { printMemory } from './memory';
