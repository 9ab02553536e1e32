/** `npm run lint:template`: AWS's own linter on the template of examples/lambda-agent. Needs Python 3.12 or newer, nothing else. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../../localstack/running-server.ts";
import { virtualEnvironment } from "../../localstack/virtual-environment.ts";

const template = "examples/lambda-agent/template.yaml";
const packages = {
  name: "cfn-lint",
  lockFile: new URL("cfn-lint-requirements.txt", import.meta.url).href,
  proof: "import cfnlint",
};

try {
  const { executable, version } = await virtualEnvironment(packages, console.log);
  // Its command names the folder that it was installed in, which has been moved since.
  const lint = ["-c", "from cfnlint.runner import main; main()", "--include-checks", "I", "--", template];
  const { status } = spawnSync(executable, lint, {
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
  if (status === 0) console.log(`${template}: nothing to say against it (cfn-lint, Python ${version})`);
} catch (error) {
  console.error(`!! ${template} WAS NOT LINTED: ${reasonOf(error)}`);
  process.exitCode = 1;
}
