export { checkRequest, launch } from './launcher/launch';
export { printMemory } from './memory';
export { envExample } from '@autoposter/config';
export { migrateCommand } from './launcher/migrate-command';
