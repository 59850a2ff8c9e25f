export * from './vocabulary';
export * from './limits';
export * from './topics';
export * from './events/envelope';
export * from './events/fact';
export * from './events/stage-request';
