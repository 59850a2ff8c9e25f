const fs = require('node:fs');

/**
 * The environment of spec files that share their modules: one per worker process and project, instead of one per file. `jest-runner.cjs` loads
 * modules once for all of them, which is a third of the time of most specs otherwise, and V8 optimises their functions once. After each file,
 * globals, environment variables, mocks and timers are as before; the state of modules stays, as it does between the tests of a file. A spec
 * that replaces modules, or needs new ones, names an environment of its own: `@jest-environment node`.
 */
const environments = new Map();

/** Circus keeps its event handlers here, and adds those of each file. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** A class of environments with `Base`, of which each project has one instance. A file that is watched may change, so that watching shares nothing. */
module.exports.sharing = (Base) =>
  class SharedEnvironment extends Base {
    constructor(config, context) {
      const { id } = config.projectConfig;
      const { watch, watchAll } = config.globalConfig;
      const existing = environments.get(id);
      if (existing !== undefined) {
        existing.output.console = context.console;
        return existing;
      }
      const output = { console: context.console };
      // the environment outlives the console of its first file
      super(config, {
        ...context,
        console: new Proxy(
          {},
          {
            get:
              (_none, name) =>
              (...words) =>
                output.console[name](...words),
          },
        ),
      });
      this.output = output;
      this.sharesModules = !watch && !watchAll;
      if (this.sharesModules) environments.set(id, this);
      this.initial = new Map(Reflect.ownKeys(this.global).map((key) => [key, Object.getOwnPropertyDescriptor(this.global, key)]));
      this.variables = { ...process.env };
    }

    async teardown() {
      if (!this.sharesModules) return super.teardown();
      this.moduleMocker.restoreAllMocks();
      this.fakeTimersModern.useRealTimers();
      this.fakeTimers.useRealTimers();
      delete this.global[HANDLERS];
      for (const [key, descriptor] of this.initial) restoreGlobal(this.global, key, descriptor);
      const { env } = this.global.process;
      for (const name of Object.keys(env)) if (!Object.hasOwn(this.variables, name)) delete env[name];
      Object.assign(env, this.variables);
    }
  };

function restoreGlobal(global, key, descriptor) {
  const current = Object.getOwnPropertyDescriptor(global, key);
  const isSame = current !== undefined && current.value === descriptor?.value && current.get === descriptor?.get;
  // a getter that became a value is a global that Jest copies at its first use
  if (descriptor === undefined || isSame || !('value' in descriptor) || current?.configurable === false) return;
  Object.defineProperty(global, key, descriptor);
}

/** By environment: the loader of the first file, which serves the later ones too. */
const loaders = new WeakMap();

const REPLACES_MODULES = /\bjest\s*\.(?:mock|doMock|unmock|dontMock|setMock|resetModules|isolateModules)/u;

/** Has `runtime` load the spec file and its setup only; what these import comes from the loader of the environment. */
module.exports.shareModules = (environment, runtime, specFile) => {
  if (REPLACES_MODULES.test(fs.readFileSync(specFile, 'utf8')))
    throw new Error(
      'This spec replaces modules, so it needs its own: name an environment in its first comment, as "@jest-environment node".',
    );
  const loader = loaders.get(environment);
  if (loader === undefined) {
    loaders.set(environment, runtime);
    // Jest refuses to load modules between tests and after the last one of a file
    Object.assign(runtime, { teardown: () => undefined, leaveTestCode: () => undefined });
    return;
  }
  const own = runtime.requireModuleOrMock.bind(runtime);
  runtime.requireModuleOrMock = (from, name) => (name === '@jest/globals' ? own(from, name) : loader.requireModuleOrMock(from, name));
  runtime.requireActual = (from, name) => loader.requireActual(from, name);
  const maps = runtime.getSourceMaps();
  const find = maps.get.bind(maps);
  maps.get = (file) => find(file) ?? loader.getSourceMaps().get(file);
};
