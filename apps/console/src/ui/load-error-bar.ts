export * from './message-bar';
