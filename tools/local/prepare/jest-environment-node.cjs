const { TestEnvironment } = require('jest-environment-node');
const { sharing } = require('./jest-environment.cjs');

module.exports = sharing(TestEnvironment);
