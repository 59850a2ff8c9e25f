export * from '../theme/tokens';
