const readline = require('readline')

class Interface extends readline.Interface {
  question(query) {
    return new Promise((resolve) => super.question(query, resolve))
  }
}

module.exports = { Interface, createInterface: (input, output) => new Interface(input?.input ? input : { input, output }) }
