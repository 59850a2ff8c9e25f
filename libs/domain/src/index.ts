export * from './errors/failure';
export * from './pipeline/item-state';
export * from './pipeline/next-stage';
export * from './pipeline/queue-status';
export * from './pipeline/transitions';
export * from './captioning/caption-model.port';
export * from './publishing/publisher.port';
export * from './sourcing/content-source.port';
