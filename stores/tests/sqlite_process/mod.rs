//! Other processes of a test: the test file started again.

use std::env;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The file that the processes share, as an environment variable.
pub(crate) const FILE: &str = "IDEMPOTENCY_TEST_FILE";

/// Another process, which runs the test `other_process`.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(file: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["other_process", "--exact", "--nocapture"])
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, output }
    }

    pub(crate) fn start_many(count: usize, file: &Path) -> Vec<Self> {
        let mut processes: Vec<_> = (0..count).map(|_| Self::start(file)).collect();
        for process in &mut processes {
            process.tell("hello");
            assert_eq!(process.hear().as_deref(), Some("hello"));
        }
        processes
    }

    pub(crate) fn tell(&mut self, command: impl Display) {
        writeln!(self.input, "{command}").unwrap();
    }

    /// The next answer; `None` if the process has ended.
    pub(crate) fn hear(&mut self) -> Option<String> {
        self.output.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix("> ").map(str::to_owned))
    }

    /// Ends the process at once, wherever it is, and says what it had still answered.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let mut rest = Vec::new();
        while let Some(answer) = self.hear() {
            rest.push(answer);
        }
        self.child.wait().unwrap();
        rest
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
